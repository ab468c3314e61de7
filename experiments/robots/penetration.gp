# Largest penetration of random motions against the timestep: moves.csv. Dashed: MuJoCo. A value of 0 is drawn at 1e-18 m.
set logscale xy
set xrange [1.5:130]
set yrange [1e-18:10]
set format y "10^{%T}"
set xtics (2, 5, 10, 20, 50, 100)
set xlabel "timestep, ms"
set ylabel "penetration, m"
set key outside right
robots = "own-ant quadruped biped ant half-cheetah hopper walker2d humanoid A1"
plot for [i = 1:words(robots)] "moves.csv" skip 1 using (strcol(1) eq word(robots, i) && strcol(2) eq "Abut" ? 1e3*$3 : NaN):($4 > 1e-18 ? $4 : 1e-18) with linespoints linewidth 2 linecolor i pointtype i+3 title word(robots, i), \
  for [i = 1:words(robots)] "moves.csv" skip 1 using (strcol(1) eq word(robots, i) && strcol(2) eq "MuJoCo" ? 1e3*$3 : NaN):4 with linespoints linewidth 2 dashtype 2 linecolor i pointtype i+3 notitle
