# Surfaces, contours, fits and curves of functions and of a file: several kinds of work in one run.
set terminal svg
set output "/dev/null"
set samples 800
plot sin(x) * exp(-x / 8), besj0(x), gamma(abs(x) + 0.1), lgamma(abs(x) + 1)
set isosamples 40
set hidden3d
splot sin(sqrt(x**2 + y**2)) / (0.1 + sqrt(x**2 + y**2)), cos(x / 3) * sin(y / 3)
unset hidden3d
set contour both
set cntrparam levels 12
splot x**2 - y**2 + 10 * sin(x)
unset contour
f(x) = a * sin(b * x) + c * x + d
a = 1; b = 0.02; c = 0.001; d = 0.1
set fit quiet
set fit logfile "/dev/null"
fit f(x) FILE using 1:2 via a, b, c, d
plot FILE using 1:2 smooth bezier, FILE using 1:3 smooth csplines, f(x)
plot FILE using (floor($3 * 10)):(1) smooth frequency with boxes
set dgrid3d 25,25,2
splot FILE using 1:2:3 every 20 with lines
unset dgrid3d
set pm3d map
splot cos(x * y / 10) with pm3d
stats FILE using 2:3 nooutput
