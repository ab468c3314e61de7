# Completion of the abut command in bash: verbs, a verb's options, methods, formats, experiments, and files.
_abut_verbs() { abut help 2>/dev/null | awk '/^  [a-z]/ { print $1 }'; }
_abut_options() { abut help "$1" 2>/dev/null | grep -o -- '--[a-z][a-z-]*' | sort -u; }

_abut() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_abut_verbs) --version --help" -- "$word")
  elif [ "$verb" = help ]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_abut_verbs)" -- "$word")
  elif [ "$before" = --method ]; then
    mapfile -t COMPREPLY < <(compgen -W "single-level bilevel lcp point-ncp convex" -- "$word")
  elif [ "$verb" = export ] && [ "$before" = --format ]; then
    mapfile -t COMPREPLY < <(compgen -W "csv npz glb mcap" -- "$word")
  elif [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_abut_options "$verb")" -- "$word")
  elif [ "$verb" = experiment ]; then
    mapfile -t COMPREPLY < <(compgen -W "$(abut experiment 2>/dev/null | awk '/^  [a-z]/ { print $1 }')" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
    compopt -o filenames
  fi
}
complete -F _abut abut
