# Words, sorting, matrices, big numbers and strings: several kinds of work in one run.
words = Hash.new(0)
File.foreach(ARGV[0]) { |line| line.scan(/[a-z]+/) { |word| words[word] += 1 } }
ranked = words.sort_by { |word, count| [-count, word] }
size = 60
left = Array.new(size) { |i| Array.new(size) { |j| i * j % 17 } }
right = Array.new(size) { |i| Array.new(size) { |j| i + j } }
product = left.map { |row| right.transpose.map { |column| row.zip(column).sum { |a, b| a * b } } }
factorial = (1..900).inject(:*).to_s.chars.sum(&:to_i)
sieve = Array.new(60_000, true)
(2..244).each { |n| (n * n).step(sieve.size - 1, n) { |m| sieve[m] = false } if sieve[n] }
text = ranked.map { |word, count| format('%-12s%6d', word.tr('a-m', 'n-z').capitalize, count) }.join("\n")
memo = {}
ways = lambda { |n, k| n.zero? ? 1 : n < 0 || k.zero? ? 0 : memo[[n, k]] ||= ways.(n, k - 1) + ways.(n - k, k) }
puts ranked.size, product.flatten.sum, factorial, sieve.count(true), text.gsub(/[aeiou]+/) { |v| v.upcase }.sum, ways.(140, 140)
