# Counts words, rewrites dates, adds up numbers and joins fields: four kinds of work over one file.
use strict;
use warnings;

my (%count, %by_length, $sum, $dates);
open my $file, '<:raw', $ARGV[0] or die "$ARGV[0]: $!";
local $/ = \4096;
while (my $block = <$file>) {
    $count{lc $1}++ while $block =~ /([A-Za-z]{3,})/g;
    $sum += $1 while $block =~ /(-?\d+\.\d+)/g;
    $dates += ($block =~ s/(\d{4})-(\d{2})-(\d{2})/$3.$2.$1/g) || 0;
}
push @{ $by_length{ length $_ } }, $_ for sort keys %count;
for my $length (sort { $a <=> $b } keys %by_length) {
    my @words = sort { $count{$b} <=> $count{$a} || $a cmp $b } @{ $by_length{$length} };
    print join(',', map { "$_:$count{$_}" } @words[ 0 .. ($#words < 4 ? $#words : 4) ]), "\n";
}
printf "%.3f %d\n", $sum // 0, $dates // 0;
