# Groups, sorts, rewrites and walks a table of records: several kinds of work in one run.
def depth: if type == "object" or type == "array" then ([.[] | depth] | max // 0) + 1 else 0 end;
. as $all
| {
    by_shop: (group_by(.shop) | map({shop: .[0].shop, n: length, sum: (map(.price) | add)})),
    dear: (sort_by(-.price) | .[:50] | map(.name)),
    words: ([.[].name | ascii_upcase | explode | add] | unique | length),
    tags: (reduce (.[].tags[]) as $tag ({}; .[$tag] += 1) | to_entries | sort_by(.value) | reverse | .[:20]),
    deep: (map(depth) | max),
    matched: (map(select(.name | test("a.*e"))) | length),
    strings: (map(tojson | length) | add),
    primes: ([range(2; 900) | select(. as $n | all(range(2; ($n | sqrt | floor) + 1); $n % . != 0))] | length)
  }
