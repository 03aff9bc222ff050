# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# bash completion of tma. Everything offered is asked of the program itself, so that it is what that
# program knows on this machine, or on the one given with --machine.

# Where the words to complete come from: $1 is the program, _tma_global what stands before its
# subcommand.
_tma_ask()
{
	"${_tma_program}" "${_tma_global[@]}" "$@" 2>/dev/null </dev/null
}

# The whole help of a subcommand ("list", "stat report"), which libsubcmd prints on standard error.
_tma_help()
{
	# shellcheck disable=SC2086 # two words may name a subcommand
	"${_tma_program}" "${_tma_global[@]}" $1 --help-all 2>&1 </dev/null
}

# The long options of a subcommand, a line each.
_tma_options()
{
	# shellcheck disable=SC2086 # as above
	_tma_ask $1 --list-opts | tr ' ' '\n' | sed '/^$/d'
}

# Subcommands: the indented names in the help.
_tma_commands()
{
	_tma_ask --help | awk '/^  [a-z]/ { print $1 }'
}

# Options of a subcommand that take a value, long and short ("-e", "--event"), a line each.
_tma_with_value()
{
	_tma_help "$1" | awk '/^ +-/ && match($0, /^ +(-[A-Za-z], )?(--[a-z-]+)? *<|^ +-[A-Za-z] *</) {
		gsub(/[ ,<].*$/, "", $2); sub(/,$/, "", $1); print $1; if ($2 ~ /^--/) print $2 }'
}

# The words that "tma list" takes for kinds: they stand in its usage.
_tma_kinds()
{
	_tma_help list | sed -n 's/^ *Usage:.*\[\(hw[a-z|]*\)|<.*/\1/p' | tr '|' '\n'
}

# The words that option $1 of the subcommand takes, where its help says which: "--severity <error|warning|note>",
# or "--format <format>" with "text, csv or json" behind it, or in the next line.
_tma_choices()
{
	case $1 in
	--td-level) echo max ;;
	--color) printf '%s\n' auto always never ;;
	--per-cache) printf '%s\n' L1 L2 L3 L4 ;;
	*) _tma_help "$_tma_command" | awk -v option="$1" '
		$1 != option || $2 !~ /^<.*>$/ { next }
		$2 ~ /[|]/ { words = substr($2, 2, length($2) - 2) }
		option == "--format" && NF == 2 { getline; words = $0 }
		option == "--format" && NF > 2 && !words { sub(/^[^>]*>/, ""); words = $0 }
		{ sub(/[(].*/, "", words); gsub(/[|, ]+(or )?/, "\n", words); print words; exit }' ;;
	esac
}

_tma_models()
{
	_tma_ask check-tables --models
}

# Event names; with slashes too, "cpu/L1-dcache-loads/", where the word has one. The raw dump has the
# short names of the kernel's own events ("cycles", "cs").
_tma_events()
{
	_tma_ask list --names event
	_tma_ask list --raw-dump hw sw | tr ' ' '\n'
	case $1 in
	*/*) _tma_ask list --raw-dump pmu cache | tr ' ' '\n' ;;
	esac
}

_tma_metrics()
{
	_tma_ask list --names metric
	_tma_ask list --names metricgroup
}

# Names of PMUs: those of events with slashes, and of sysfs.
_tma_pmus()
{
	_tma_ask list -j pmu | sed -n 's/^\t"Unit": "\([^"]*\)".*/\1/p' | sort -u
}

# Machines that come with the program; a machine file may be named as well.
_tma_machines()
{
	local dir own

	own=$(command -v "$_tma_program")
	own=$(readlink -f "$own" 2>/dev/null)
	for dir in "${TMA_SIM_MACHINES:-}" "${own%/*}/machines" "${own%/*}/../share/tma/machines"; do
		[[ -n $dir && -d $dir ]] || continue
		(cd "$dir" && ls) | grep -v '\.part$'
		return
	done
}

# _tma_words SOURCE ARG [list]: what SOURCE prints that the word begins, case ignored. In a list the
# word is what stands behind the last ',' '{' or '}'; in a metric's definition, "NAME = EXPRESSION", behind the
# last operator. readline replaces only what is behind its own last break (':', '='), or the quote.
_tma_words()
{
	local word=$_tma_word head='' cut=0 i

	if [[ ${3-} == list ]]; then
		head=${word%"${word##*[,\{\}]}"}
		[[ $1 != _tma_metrics || $word != *=* ]] || head=${word%"${word##*[!A-Za-z0-9_.]}"}
		compopt -o nospace 2>/dev/null
	fi
	word=$_tma_attached$word head=$_tma_attached$head
	for ((i = 0; i < ${#word}; i++)); do
		[[ -z $_tma_quote && $COMP_WORDBREAKS == *"${word:i:1}"* ]] && cut=$((i + 1))
	done
	mapfile -t COMPREPLY < <("$1" "${2-}" | STEM=${word#"$head"} HEAD=$head awk -v cut="$cut" '
		BEGIN { stem = tolower(ENVIRON["STEM"]); head = ENVIRON["HEAD"] }
		$0 != "" && index(tolower($0), stem) == 1 && !seen[$0]++ { print substr(head $0, cut + 1) }')
}

# The value of option $1.
_tma_value()
{
	local choices

	case $1 in
	-e | --event) _tma_words _tma_events "$_tma_word" list ;;
	-M | --metrics) _tma_words _tma_metrics '' list ;;
	--unit) _tma_words _tma_pmus ;;
	--machine) _tma_words _tma_machines ;;
	--model | --cpuid) _tma_words _tma_models ;;
	*)
		choices=$(_tma_choices "$1")
		[[ -z $choices ]] || _tma_words echo "$choices"
		[[ -n $choices ]] || compopt -o default 2>/dev/null
		;;
	esac
}

_tma_list_words()
{
	_tma_kinds
	_tma_events "$1"
	_tma_metrics
}

_tma_explain_words()
{
	_tma_metrics
	_tma_events "$1"
}

# The words of the line as blanks outside of quotes part them: readline parts at ':' and '=' as well. The
# last may have a quote that is open still.
_tma_split()
{
	local line=${COMP_LINE:0:COMP_POINT} char i word=''

	for ((i = 0; i < ${#line}; i++)); do
		char=${line:i:1}
		if [[ -n $_tma_quote ]]; then
			[[ $char == "$_tma_quote" ]] && _tma_quote='' || word+=$char
		elif [[ $char == [\'\"] ]]; then
			_tma_quote=$char
		elif [[ $char != [[:space:]] ]]; then
			word+=$char
		elif [[ ${line:i-1:1} != [[:space:]] ]]; then
			_tma_line+=("$word")
			word=''
		fi
	done
	_tma_line+=("$word")
	_tma_word=$word
}

# What stands before the subcommand. Sets _tma_at to its place, or to the last word.
_tma_globals()
{
	local i

	_tma_global=()
	for ((i = 1; i < ${#_tma_line[@]} - 1; i++)); do
		case ${_tma_line[i]} in
		--machine | --tables)
			# Its value is still being typed.
			((i + 1 < ${#_tma_line[@]} - 1)) || { _tma_option=${_tma_line[i]}; break; }
			_tma_global+=("${_tma_line[i]}" "${_tma_line[i + 1]}")
			i=$((i + 1))
			;;
		-*) _tma_global+=("${_tma_line[i]}") ;;
		*) break ;;
		esac
	done
	_tma_at=$i
}

# The word is an option, or behind one that takes a value, or none.
_tma_in_command()
{
	local command=${_tma_line[_tma_at]} last=$((${#_tma_line[@]} - 1)) i takes word

	if [[ $command == stat && ${_tma_line[_tma_at + 1]} == @(record|report) ]] && ((_tma_at + 1 < last)); then
		_tma_at=$((_tma_at + 1))
		command="stat ${_tma_line[_tma_at]}"
	fi
	_tma_command=$command
	takes=$(_tma_with_value "$command")
	takes=" ${takes//$'\n'/ } "
	# The first word that is neither an option nor a value of one begins the workload.
	for ((i = _tma_at + 1; i < last; i++)); do
		word=${_tma_line[i]}
		if [[ $word == -- ]] || { [[ $word != -* ]] && [[ $command == @(stat|plan|why|"stat record") ]]; }; then
			[[ $word == -- ]] && i=$((i + 1))
			_tma_offset "$i"
			return
		fi
		[[ $word == *=* || $takes != *" $word "* ]] && continue
		if ((i + 1 == last)); then
			_tma_value "$word"
			return
		fi
		i=$((i + 1))
	done
	case $_tma_word in
	--*=*)
		word=${_tma_word%%=*}
		_tma_word=${_tma_word#*=}
		_tma_value "$word"
		return
		;;
	-[eM]?*)
		_tma_attached=${_tma_word:0:2}
		_tma_word=${_tma_word:2}
		_tma_value "$_tma_attached"
		return
		;;
	-*)
		_tma_words _tma_options "$command"
		return
		;;
	esac
	case $command in
	list) _tma_words _tma_list_words "$_tma_word" ;;
	explain) _tma_words _tma_explain_words "$_tma_word" ;;
	stat) mapfile -t COMPREPLY < <(compgen -c -W 'record report' -- "$_tma_word" | sort -u) ;;
	plan | why | "stat record") mapfile -t COMPREPLY < <(compgen -c -- "$_tma_word" | sort -u) ;;
	fleet) _tma_words printf 'top\ntree\ndiff\n' ;;
	compare) mapfile -t COMPREPLY < <(compgen -c -f -- "$_tma_word" | sort -u) ;;
	*) compopt -o default 2>/dev/null ;;
	esac
}

# The workload completes as that command does by itself, where bash-completion is there.
_tma_offset()
{
	local i=0 skip=$1 seen=0

	for ((i = 0; i < COMP_CWORD; i++)); do
		[[ ${COMP_WORDS[i]} == "${_tma_line[skip]}" ]] && { seen=$i; break; }
	done
	if declare -F _command_offset >/dev/null && ((seen)); then
		_command_offset "$seen"
	else
		compopt -o default 2>/dev/null
	fi
}

_tma_global_words()
{
	# Behind --version, tables alone.
	if [[ " ${_tma_global[*]} " == *' --version '* ]]; then
		echo --tables
		return
	fi
	_tma_commands
	_tma_ask --help | grep -o -- '--[a-z][a-z-]*' | sort -u
}

_tma()
{
	local _tma_program=$1 _tma_word='' _tma_option='' _tma_at=1 _tma_quote='' _tma_attached=''
	local _tma_command=''
	local -a _tma_line=() _tma_global=()

	COMPREPLY=()
	_tma_split
	_tma_globals
	if [[ -n $_tma_option ]]; then
		_tma_value "$_tma_option"
	elif ((_tma_at >= ${#_tma_line[@]} - 1)); then
		case $_tma_word in
		--*=*)
			_tma_option=${_tma_word%%=*}
			_tma_word=${_tma_word#*=}
			_tma_value "$_tma_option"
			;;
		*) _tma_words _tma_global_words ;;
		esac
	else
		_tma_in_command
	fi
}

complete -F _tma tma
