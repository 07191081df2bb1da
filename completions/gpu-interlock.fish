# fish completion for gpu-interlock. Written from its command line by test_pages; do not edit.

set -g __gpu_interlock_paths 'status' 'watch' 'audit' 'explain' 'plan' 'cutover' 'recover' 'history' 'reset' 'shed' 'drill' 'sensors' 'snapshot' 'policy' 'policy check' 'policy show' 'policy init' 'policy import' 'ledger' 'ledger adopt' 'ledger rebuild' 'gate' 'gate install' 'gate remove' 'gate status' 'gate allow'
set -g __gpu_interlock_valued --count --interval --on-failure --output --policy --reason --root

# The command that the line has come to: 'policy check'; a cutover's name alone is 'cutover'.
function __gpu_interlock_path
    set -l path ''
    set -l value ''
    for token in (commandline -opc)[2..-1]
        if test -n "$value"
            set value ''
        else if string match -q -- '-*' $token
            contains -- $token $__gpu_interlock_valued; and set value $token
        else if contains -- (string trim -- "$path $token") $__gpu_interlock_paths
            set path (string trim -- "$path $token")
        else if test -z "$path"
            set path cutover
        end
    end
    echo $path
end
function __gpu_interlock_at
    test (__gpu_interlock_path) = "$argv[1]"
end
function __gpu_interlock_names
    set -l globals
    set -l option ''
    for token in (commandline -opc)[2..-1]
        if test -n "$option"
            set globals $globals $option $token
            set option ''
        else if contains -- $token --policy --root
            set option $token
        end
    end
    gpu-interlock $globals names $argv[1] 2>/dev/null
end

complete -c gpu-interlock -f
complete -c gpu-interlock -l version -d 'Show the version'
complete -c gpu-interlock -l help -s h -d 'Show this help'
complete -c gpu-interlock -l policy -r -F -d 'The policy to use instead of /etc/gpu-interlock/policy.yaml'
complete -c gpu-interlock -l root -x -a '(__fish_complete_directories)' -d 'A folder that stands for the host: put before every path that is read, written or executed. Also: GPU_INTERLOCK_ROOT'
complete -c gpu-interlock -l json -d 'Print one JSON object instead of text'
complete -c gpu-interlock -n "__gpu_interlock_at ''" -a status -d 'Each card\'s temperature, state and user, and each container\'s cards, now and at the next boot'
complete -c gpu-interlock -n "__gpu_interlock_at ''" -a watch -d '`status`, live: each card\'s state and temperature, with curves, until q or Ctrl-C'
complete -c gpu-interlock -n "__gpu_interlock_at ''" -a audit -d 'Every rule that is broken, now or at the host\'s next boot'
complete -c gpu-interlock -n "__gpu_interlock_at ''" -a explain -d 'What a finding of the audit or a refusal of a cutover means, and what to do'
complete -c gpu-interlock -n "__gpu_interlock_at ''" -a plan -d 'What a cutover would do, and the proof that it is safe; changes nothing'
complete -c gpu-interlock -n "__gpu_interlock_at ''" -a cutover -d 'Move cards to the state that a cutover of the policy names, all or nothing'
complete -c gpu-interlock -n "__gpu_interlock_at ''" -a recover -d 'Finish a cutover that was interrupted: back to where it began, by default'
complete -c gpu-interlock -n "__gpu_interlock_at ''" -a history -d 'Every cutover that was run here, or the record of one'
complete -c gpu-interlock -n "__gpu_interlock_at ''" -a reset -d 'Let a latched card be used again; refused while it is hot or cannot be read'
complete -c gpu-interlock -n "__gpu_interlock_at ''" -a shed -d 'Take the load off a card now: stop what really uses it, and see it gone'
complete -c gpu-interlock -n "__gpu_interlock_at ''" -a drill -d 'Rehearse a trip of a card: what is detected, and every rung that would be taken'
complete -c gpu-interlock -n "__gpu_interlock_at ''" -a sensors -d 'What each card\'s sensors read now, and what is believed of it'
complete -c gpu-interlock -n "__gpu_interlock_at ''" -a snapshot -d 'What a bug report needs of this host, in a folder that --root takes, with names made neutral'
complete -c gpu-interlock -n "__gpu_interlock_at ''" -a policy -d 'Check or show the policy, or draw up a first one'
complete -c gpu-interlock -n "__gpu_interlock_at ''" -a ledger -d 'Which container may hold each card'
complete -c gpu-interlock -n "__gpu_interlock_at ''" -a gate -d 'What refuses to start a container whose card belongs to another'
complete -c gpu-interlock -n "__gpu_interlock_at 'watch'" -l interval -x -d 'Time between two looks, as in 500ms or 2s (the default)'
complete -c gpu-interlock -n "__gpu_interlock_at 'watch'" -l count -x -d 'Print so many looks as text, and end'
complete -c gpu-interlock -n "__gpu_interlock_at 'explain'" -a '(__gpu_interlock_names codes)' -d 'Its code; without one, all are listed'
complete -c gpu-interlock -n "__gpu_interlock_at 'plan'" -a '(__gpu_interlock_names cutovers)' -d 'A cutover of the policy'
complete -c gpu-interlock -n "__gpu_interlock_at 'cutover'" -l yes -d 'Do not ask'
complete -c gpu-interlock -n "__gpu_interlock_at 'cutover'" -l dry-run -d 'Only show the plan, as `plan` does'
complete -c gpu-interlock -n "__gpu_interlock_at 'cutover'" -l foreground -d 'Run it in this process, not as a service of the host'
complete -c gpu-interlock -n "__gpu_interlock_at 'cutover'" -l progress -d 'Tell each step as it goes, also without a terminal'
complete -c gpu-interlock -n "__gpu_interlock_at 'cutover'" -l without-guard -d 'Also when no guard watches the cards'
complete -c gpu-interlock -n "__gpu_interlock_at 'cutover'" -l on-failure -x -a 'rollback hold' -d 'When a step fails: rollback (the default) or hold where it is safe'
complete -c gpu-interlock -n "__gpu_interlock_at 'cutover'" -a '(__gpu_interlock_names cutovers)' -d 'A cutover of the policy'
complete -c gpu-interlock -n "__gpu_interlock_at 'recover'" -l yes -d 'Do not ask'
complete -c gpu-interlock -n "__gpu_interlock_at 'recover'" -l reason -x -d 'Why it is accepted; it is recorded'
complete -c gpu-interlock -n "__gpu_interlock_at 'recover'" -l back -d 'Back to where it began (the default)'
complete -c gpu-interlock -n "__gpu_interlock_at 'recover'" -l forward -d 'On to what it was to reach'
complete -c gpu-interlock -n "__gpu_interlock_at 'recover'" -l status -d 'Only say whether one is open'
complete -c gpu-interlock -n "__gpu_interlock_at 'recover'" -l accept -d 'Close it with the host as it is now; needs --reason'
complete -c gpu-interlock -n "__gpu_interlock_at 'recover'" -l boot -d 'What the host does before it starts any guest: take back, start nothing'
complete -c gpu-interlock -n "__gpu_interlock_at 'history'" -a '(__gpu_interlock_names history)' -d 'A cutover\'s id, as the list shows it'
complete -c gpu-interlock -n "__gpu_interlock_at 'reset'" -l force -d 'Also while it is hot or cannot be read; needs --reason'
complete -c gpu-interlock -n "__gpu_interlock_at 'reset'" -l reason -x -d 'Why it is forced; it is recorded'
complete -c gpu-interlock -n "__gpu_interlock_at 'reset'" -a '(__gpu_interlock_names cards)' -d 'A card of the policy'
complete -c gpu-interlock -n "__gpu_interlock_at 'shed'" -l all -d 'Every card of the policy'
complete -c gpu-interlock -n "__gpu_interlock_at 'shed'" -l judged -d 'With --all: only cards that the guard has judged in this boot'
complete -c gpu-interlock -n "__gpu_interlock_at 'shed'" -a '(__gpu_interlock_names cards)' -d 'A card of the policy'
complete -c gpu-interlock -n "__gpu_interlock_at 'drill'" -a '(__gpu_interlock_names cards)' -d 'A card of the policy'
complete -c gpu-interlock -n "__gpu_interlock_at 'snapshot'" -F
complete -c gpu-interlock -n "__gpu_interlock_at 'policy'" -a check -d 'Every error in the policy, each with its line and column, and what this host does not have'
complete -c gpu-interlock -n "__gpu_interlock_at 'policy'" -a show -d 'The policy as it would be used'
complete -c gpu-interlock -n "__gpu_interlock_at 'policy'" -a init -d 'A commented first policy for this host, from its cards, their limits, and what uses them now'
complete -c gpu-interlock -n "__gpu_interlock_at 'policy'" -a import -d 'A commented first policy from a shell watchdog\'s environment file, held against this host'
complete -c gpu-interlock -n "__gpu_interlock_at 'policy check'" -l offline -d 'Only the policy\'s text: look at no host'
complete -c gpu-interlock -n "__gpu_interlock_at 'policy init'" -l output -r -F -d 'A file to write it to, which must not be there yet; else it is printed'
complete -c gpu-interlock -n "__gpu_interlock_at 'policy import'" -F
complete -c gpu-interlock -n "__gpu_interlock_at 'ledger'" -a adopt -d 'Take what is bound now for cards that the ledger does not name, or for these'
complete -c gpu-interlock -n "__gpu_interlock_at 'ledger'" -a rebuild -d 'Write the whole ledger anew from what is bound now'
complete -c gpu-interlock -n "__gpu_interlock_at 'ledger adopt'" -a '(__gpu_interlock_names cards)' -d 'Cards whose line is to be written anew'
complete -c gpu-interlock -n "__gpu_interlock_at 'gate'" -a install -d 'Put the gate in the way of every start'
complete -c gpu-interlock -n "__gpu_interlock_at 'gate'" -a remove -d 'Take the gate out again'
complete -c gpu-interlock -n "__gpu_interlock_at 'gate'" -a status -d 'Whether every start comes by the gate'
complete -c gpu-interlock -n "__gpu_interlock_at 'gate'" -a allow -d 'Let one container start once, although its card is not its own'
complete -c gpu-interlock -n "__gpu_interlock_at 'gate allow'" -l once -d 'For one start, within 2 minutes'
complete -c gpu-interlock -n "__gpu_interlock_at 'gate allow'" -l reason -x -d 'Why; it is recorded'
complete -c gpu-interlock -n "__gpu_interlock_at 'gate allow'" -a '(__gpu_interlock_names containers)' -d 'The container'
complete -c gpu-interlock -n "__gpu_interlock_at ''" -a '(__gpu_interlock_names cutovers)' -d 'A cutover of the policy'
