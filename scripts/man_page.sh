#!/bin/sh
# Writes the man page of the command from its own help. Usage: man_page.sh ABUT PAGE
set -eu
abut=$1
page=$2
version=$("$abut" --version | awk 'NR == 1 { print $2 }')

# Escapes text, so that no line is a request and no character is special.
literal() { sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^[.']/\\\\\&&/"; }
# Lists the verbs, one per line.
verbs() { "$abut" help | awk '/^  [a-z]/ { print $1 }'; }

{
	printf '.TH ABUT 1 "" "abut %s" "User Commands"\n' "$version"
	printf '.SH NAME\nabut \\- collision and contact between convex shapes\n'
	printf '.SH SYNOPSIS\n.B abut\n.I VERB\n[options]\n'
	printf '.SH DESCRIPTION\n.nf\n'
	"$abut" help | sed 1,4d | literal
	printf '.fi\n'
	for verb in $(verbs); do
		printf '.SS abut %s\n.nf\n' "$verb"
		"$abut" help "$verb" | sed 1,2d | literal
		printf '.fi\n'
	done
	printf '.SH ENVIRONMENT\n.TP\n.B OPENBLAS_NUM_THREADS\n1 keeps OpenBLAS from starting threads, which Abut does not use.\n'
} >"$page"
