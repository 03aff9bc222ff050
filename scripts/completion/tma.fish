# SPDX-License-Identifier: GPL-2.0-only
# fish completion of tma. All candidates come from the program itself, so that they fit this
# machine, or the one given with --machine.

# Run the program with the options that precede the subcommand and these words.
function __tma_ask
    $__tma_program $__tma_global $argv 2>/dev/null </dev/null
end

# Print the line of an option of the subcommand; its third field says whether it takes a value.
function __tma_option
    __tma_ask $__tma_command --list-options | string match -e -- option\t$argv[1]\t
end

# __tma_put HEAD CANDIDATE ...: print candidates, each after HEAD, the text before it in the word
function __tma_put
    for candidate in $argv[2..]
        printf '%s%s\n' $argv[1] $candidate
    end
end

# Complete a word of a list, which follows the last ',' '{' or '}'; in a metric's definition, "NAME =
# EXPRESSION", the last operator.
function __tma_put_in_list
    set -l head (string replace -r '[^,{}]*$' '' -- $argv[2])
    if string match -q -- '*=*' $argv[2]
        set head (string replace -r '[A-Za-z0-9_.]*$' '' -- $argv[2])
    end
    __tma_put "$argv[1]$head" $argv[3..]
end

function __tma_events
    __tma_ask list --names event
    __tma_ask list --raw-dump hw sw | string split -n ' '
    if string match -q -- '*/*' $argv[1]
        __tma_ask list --raw-dump pmu cache | string split -n ' '
    end
end

function __tma_metrics
    __tma_ask list --names metric
    __tma_ask list --names metricgroup
end

# __tma_expand HEAD STEM WORD ...: print the candidates of words of --list-options
function __tma_expand
    set -l head $argv[1]
    set -l stem $argv[2]
    for word in $argv[3..]
        switch $word
            case @event
                __tma_put_in_list "$head" "$stem" (__tma_events "$stem")
            case @metric
                __tma_put_in_list "$head" "$stem" (__tma_metrics)
            case @pmu
                __tma_put "$head" (__tma_ask list -j pmu | string replace -rf '^\t"Unit": "([^"]*)".*' '$1' | sort -u)
            case @pid
                __tma_put "$head" (__fish_complete_pids)
            case @file
                __tma_put "$head" (__fish_complete_path "$stem")
            case @directory
                __tma_put "$head" (__fish_complete_directories "$stem" '')
            case @command
                __tma_put "$head" (complete -C "$stem")
            case '*'
                __tma_put "$head" $word
        end
    end
end

# __tma_value OPTION HEAD STEM: print candidates for the value of an option
function __tma_value
    set -l words (__tma_option $argv[1] | string split -f 4 \t | string split -n ' ')
    __tma_expand "$argv[2]" "$argv[3]" $words
end

# Complete an option, or its value in the same word.
function __tma_dashed
    set -l word $argv[1]
    if string match -q -- '--*=*' $word
        set -l parts (string split -m 1 = -- $word)
        __tma_value $parts[1] "$parts[1]=" "$parts[2]"
    else if string match -qr -- '^-[A-Za-z].' $word
        set -l name (string sub -l 2 -- $word)
        __tma_value $name $name (string sub -s 3 -- $word)
    else
        __tma_ask $__tma_command --list-options | string replace -rf '^option\t(-[^\t]*)\t[^\t]*\t[^\t]*\t(.*)$' '$1\t$2'
    end
end

# __tma_in_command CURRENT WORD ...: complete a word after the subcommand
function __tma_in_command
    set -l current $argv[1]
    set -l words $argv[2..]
    set -l taking (__tma_ask $__tma_command --list-options | string replace -rf '^option\t(-[^\t]*)\trequired\t.*$' '$1')
    set -l at 1
    while test $at -le (count $words)
        set -l word $words[$at]
        # The first word that is neither an option nor a value of one begins the workload.
        if contains -- "$__tma_command" stat plan why 'stat record'
            if test "$word" = --; or not string match -q -- '-*' $word
                test "$word" = --; and set at (math $at + 1)
                complete -C (string join ' ' -- (string escape -- $words[$at..]) "$current")
                return
            end
        end
        if contains -- $word $taking
            if test $at -eq (count $words)
                __tma_value $word '' "$current"
                return
            end
            set at (math $at + 1)
        end
        set at (math $at + 1)
    end
    if string match -q -- '-*' $current
        __tma_dashed $current
        return
    end
    set -l own (__tma_ask $__tma_command --list-options | string match -e -r '^words\t' | string split -f 4 \t | string split -n ' ')
    test "$__tma_command" = 'stat record'; and set own @command
    __tma_expand '' "$current" $own
end

function __tma_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -g __tma_program $words[1]
    set -g __tma_global
    set -g __tma_command
    set -l at 2
    while test $at -le (count $words)
        set -l word $words[$at]
        if contains -- $word --machine --tables
            if test $at -eq (count $words)
                __tma_value $word '' "$current"
                return
            end
            set at (math $at + 1)
            set -a __tma_global $word $words[$at]
            set at (math $at + 1)
        else if string match -q -- '-*' $word
            set -a __tma_global $word
            set at (math $at + 1)
        else
            break
        end
    end
    if test $at -gt (count $words)
        if contains -- --version $__tma_global
            echo --tables
        else if string match -q -- '-*' $current
            __tma_dashed $current
        else
            __tma_ask --list-options | string replace -rf '^command\t([^\t]*)\t\t\t(.*)$' '$1\t$2'
        end
        return
    end
    set __tma_command $words[$at]
    set -l next (math $at + 1)
    if test "$__tma_command" = stat; and contains -- "$words[$next]" record report
        set __tma_command stat $words[$next]
        set next (math $next + 1)
    end
    __tma_in_command "$current" $words[$next..]
end

complete -c tma -f -a '(__tma_complete)'
