#!/usr/bin/env bash
# A restore, tried: copies the log of a venue, which may be running, verifies the copy command by command, serves it, and
# checks that it is at the commit the copy was said to reach. It touches nothing but a directory of its own.
#
#     deployment/restore-drill.sh DATA      the data directory of a venue, or a backup of one
#
# MARGIN_CORE is the command to run; default: margin-core.
set -euo pipefail
data=${1:?the data directory of a venue}
margin_core=${MARGIN_CORE:-margin-core}
work=$(mktemp -d)
copy=$work/copy
serving=
trap '[[ -z $serving ]] || kill "$serving" 2>/dev/null || true; rm -rf "$work"' EXIT

backup=$($margin_core backup "$data" --to "$copy")
echo "$backup"
chain=$(sed -n 's/^chain //p' <<<"$backup")
head=${chain%%:*}

$margin_core verify "$copy" --expect "$chain" >"$work/verified" || { cat "$work/verified"; exit 1; }
echo "verified up to $chain"

# With a clock that stands still, and nobody's keys or webhooks: the copy does nothing by itself.
token=$(head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \n')
printf '{ "clock": { "mode": "manual" }, "operatorToken": "%s" }' "$token" >"$work/venue.json"
$margin_core serve --config "$work/venue.json" --data "$copy" --port 0 >"$work/served" 2>"$work/notices" &
serving=$!
for _ in $(seq 600); do
  url=$(sed -n 's/^listening on //p' "$work/served")
  [[ -z $url ]] || break
  kill -0 "$serving" 2>/dev/null || { cat "$work/notices"; exit 1; }
  sleep 0.1
done
[[ -n $url ]] || { echo 'the copy was not served within a minute'; exit 1; }
health=$(curl -fsS -H "Authorization: Bearer $token" "$url/operator/health")
served=$(sed -n 's/.*"durableHead":\([0-9]*\).*/\1/p' <<<"$health")
# Keys that the drill's configuration does not name are revoked in the copy, in commits of their own.
(( served >= head )) || { echo "the copy is at commit $served, not at $head"; exit 1; }
kill "$serving"
wait "$serving"
serving=
echo "restored: commit $head is served"
