# The common look. `gnuplot NAME.gp` draws NAME.svg, with -e "format='png'" the picture.
if (!exists("format")) format = "svg"
if (format eq "png") {
  set terminal pngcairo size 2*width,2*height font "sans,13" fontscale 1.5 linewidth 2 pointscale 2 background "white"
} else {
  set terminal svg size width,height font "sans-serif,13" background "white" name name
}
set output name.".".format
set encoding utf8
set datafile separator ","
set border 3 linecolor rgb "#777777"
set tics nomirror textcolor rgb "#333333"
set grid linecolor rgb "#e4e4e4" linewidth 1
set key top left reverse Left samplen 2 textcolor rgb "#222222"
set title font ",14" textcolor rgb "#111111"
set linetype 1 linecolor rgb "#4477aa" linewidth 2 pointtype 7
set linetype 2 linecolor rgb "#ee6677" linewidth 2 pointtype 7
set linetype 3 linecolor rgb "#228833" linewidth 2 pointtype 7
set linetype 4 linecolor rgb "#ccbb44" linewidth 2 pointtype 7
set linetype 5 linecolor rgb "#66ccee" linewidth 2 pointtype 7
set linetype 6 linecolor rgb "#aa3377" linewidth 2 pointtype 7
set linetype 7 linecolor rgb "#888888" linewidth 2 pointtype 7

