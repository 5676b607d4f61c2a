SITE=https://arena.example TOKEN=tochki_put_yours_here
api() { curl -sN -H "Authorization: Bearer $TOKEN" -H "Accept: application/x-ndjson" "$SITE$@"; }
field() { grep -o "\"$1\":\"\?[^,\"}]*" | head -n1 | tr -d '"' | cut -d: -f2; }
table=$(api /api/open_table -d game=gomoku)
echo "Invite somebody: $SITE/t/$(field link <<< "$table")"
while read -r line && [[ $line != *'"match_started"'* ]]; do api /api/ready -d table="$(field id <<< "$table")" -d ready=true
done < <(api "/events/table/$(field link <<< "$table")") > /dev/null
match=$(field match <<< "$line")
api "/events/match/$match" | while read -r line && [[ $line != *'"event":"finished"'* ]]; do
  echo "$line"; api /api/move -d match_id="$match" -d mv="$((RANDOM % 19)),$((RANDOM % 19))"; done
