# Counts words, sums numbers, rewrites dates and sorts what it counted: several kinds of work over one file.
{ lines++ }
/^[0-9]+$/ { sum += $1; digits[length($1)]++; next }
/common/ { gsub(/o/, "0"); shared[substr($0, 50)]++; next }
{ for (i = 1; i <= NF; i++) { words[$i]++; letters += length($i) } }
END {
    n = asorti(words, order)
    for (i = 1; i <= n; i++) text = (i % 50 ? text " " : "") toupper(order[i])
    m = asort(shared, counts, "@val_num_desc")
    for (i = 1; i < 40000; i++) { x = (x * 1103 + 12345) % 65536; if (x % 7 == 0) hits++ }
    for (i = 1; i <= 400; i++) for (j = 1; j <= 100; j++) table[i, j] = i * j % 17
    for (key in table) { split(key, at, SUBSEP); total += table[key] * at[1] }
    for (i = 1; i <= n; i++) { s = sprintf("%-20s%8d", order[i], words[order[i]]); if (s ~ /e.*t.* 1[0-9]*$/) e++ }
    print lines, sum, letters, n, m, hits, total, e, length(text)
}
