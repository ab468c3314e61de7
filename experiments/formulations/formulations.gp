# slide.csv: method, angle, way, drift. push.csv: method, force, speed, Coulomb's. force.csv: method, time, force.
# A wide line first and dashes above it, so that of curves on one another both are seen.
set multiplot layout 1,3 margins 0.07,0.985,0.13,0.70 spacing 0.07,0.06
array names[5] = ["single-level", "single-level pyramid", "point-ncp", "lcp", "convex"]
array wide[5] = [5, 4, 2, 2, 2]
array dash[5] = [1, 1, 1, 3, 1]
set key at screen 0.02,0.985 left top maxrows 3 noenhanced samplen 3
set xlabel "angle, degrees" offset 0,0.5
set title "beside its line, m" offset 0,-0.7
set logscale y
set format y "10^{%T}"
plot for [i=1:5] "slide.csv" skip 1 using (strcol(1) eq names[i] ? $2 : NaN):(abs($4) < 1e-17 ? 1e-17 : abs($4)) \
       with linespoints linetype i linewidth wide[i] dashtype dash[i] pointtype (i==2 ? 6 : 7) pointsize (i==2 ? 0.9 : 0.5) title names[i], \
     NaN with lines linecolor rgb "#222222" dashtype (6,5) title "Coulomb"
unset logscale y
set format y "%g"
set xlabel "force, N"
set title "speed after a step, m/s"
set yrange [0:*]
unset key
plot for [i=1:5] "push.csv" skip 1 using (strcol(1) eq names[i] ? $2 : NaN):3 with lines linetype i linewidth wide[i] dashtype dash[i] notitle, \
     "push.csv" skip 1 using (strcol(1) eq "single-level" ? $2 : NaN):4 with lines linecolor rgb "#222222" dashtype (6,5) notitle
set key inside right top maxrows 5 noenhanced samplen 3
set xlabel "time, s"
set title "contact force of a ball, weights (to 12)"
set yrange [0:12]
array balls[5] = ["single-level", "lcp", "convex 0.02 s", "convex 0.05 s", "convex 0.1 s"]
array shade[5] = [1, 4, 5, 3, 6]
array fat[5] = [5, 2, 2, 2, 2]
array dot[5] = [1, 3, 1, 1, 1]
plot for [i=1:5] "force.csv" skip 1 using (strcol(1) eq balls[i] ? $2 : NaN):3 with lines linetype shade[i] \
     linewidth fat[i] dashtype dot[i] title balls[i]
unset multiplot
