# bash completion for whypend: asks the program itself, so that it never lags behind.
# Installed as share/bash-completion/completions/whypend; or: source tools/completion/whypend.bash

_whypend_subcommands() {
	"$1" help 2>/dev/null | sed -n '/^Subcommands:/,/^$/ s/^  \([a-z][a-z-]*\) .*/\1/p'
}

_whypend_options() {
	"$1" "$2" --help 2>/dev/null | sed -n 's/^  \(-[a-zA-Z], \)\{0,1\}\(--[a-zA-Z0-9-]*\).*/\2/p'
}

_whypend() {
	local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} sub=${COMP_WORDS[1]}
	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ] || { [ "$sub" = help ] && [ "$COMP_CWORD" -eq 2 ]; }; then
		COMPREPLY=($(compgen -W "$(_whypend_subcommands "$program")" -- "$word"))
		return
	fi
	case $before in
	--clock) COMPREPLY=($(compgen -W "slurm ideal pinned:" -- "$word")) && return ;;
	--slurm-version) COMPREPLY=($(compgen -W "26.05 22.05" -- "$word")) && return ;;
	--format | -f) [ "$sub" = check ] && COMPREPLY=($(compgen -W "tap junit json github" -- "$word")) && return ;;
	--by) COMPREPLY=($(compgen -W "partition user account qos size gpu" -- "$word")) && return ;;
	--group) COMPREPLY=($(compgen -W "partition account user qos" -- "$word")) && return ;;
	show) case $sub in
		scontrol) COMPREPLY=($(compgen -W "job node partition reservation license step topology config daemons assoc_mgr aliases hostnames hostlist hostlistsorted" -- "$word")) && return ;;
		sacctmgr) COMPREPLY=($(compgen -W "assoc qos user account tres cluster" -- "$word")) && return ;;
		esac ;;
	scontrol) COMPREPLY=($(compgen -W "show completing ping version" -- "$word")) && [ -n "$word" ] && return ;;
	sacctmgr) COMPREPLY=($(compgen -W show -- "$word")) && [ -n "$word" ] && return ;;
	esac
	case $word in
	-*) COMPREPLY=($(compgen -W "$(_whypend_options "$program" "$sub")" -- "$word")) ;;
	*) COMPREPLY=($(compgen -f -- "$word")) ;;
	esac
}

complete -o filenames -F _whypend whypend
