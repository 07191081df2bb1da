# -DINTERLOCK_SANITIZE=address,undefined or thread: all targets alike.
set(INTERLOCK_SANITIZE "" CACHE STRING "sanitizers for every target, comma-separated")
if(INTERLOCK_SANITIZE)
  add_compile_options(-fsanitize=${INTERLOCK_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${INTERLOCK_SANITIZE})
endif()
