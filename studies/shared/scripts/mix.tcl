# Words, lists, arrays, strings and numbers: several kinds of work in one run.
set file [open [lindex $argv 0]]
while {[gets $file line] >= 0} {
    foreach word [split $line] {
        if {[string is alpha -strict $word]} { incr count($word) } elseif {[string is integer -strict $word]} { lappend numbers $word }
    }
}
close $file
set ranked [lsort -command {apply {{a b} {expr {$::count($b) - $::count($a)}}}} [lsort [array names count]]]
set sorted [lsort -integer $numbers]
proc fib n { expr {$n < 2 ? $n : [fib [expr {$n - 1}]] + [fib [expr {$n - 2}]]} }
proc primes most {
    set found {}
    for {set n 2} {$n < $most} {incr n} {
        set prime 1
        foreach p $found { if {$p * $p > $n} break; if {$n % $p == 0} { set prime 0; break } }
        if {$prime} { lappend found $n }
    }
    return $found
}
set text ""
foreach word $ranked { append text [string toupper [string map {a 4 e 3 o 0} $word]] [format %6d $count($word)] }
set vowels [regexp -all {[IU]+[A-Z]} $text]
dict set table start 0
for {set i 0} {$i < 20000} {incr i} { dict incr table [expr {$i * 7919 % 2003}] $i }
puts "[llength $ranked] [lindex $sorted 0] [fib 19] [llength [primes 20000]] $vowels [dict size $table]"
