# Panels of cells, from NAME.csv: panel row, panel column, title, column, row, their labels, shade in [0, 1] or -1 for grey, text.
set datafile missing
stats name.".csv" skip 1 using 1 nooutput
rows = int(STATS_max) + 1
stats name.".csv" skip 1 using 2 nooutput
columns = int(STATS_max) + 1
array label[rows*columns]
do for [p=1:rows*columns] { label[p] = "" }
stats name.".csv" skip 1 using (label[int($1)*columns+int($2)+1] = strcol(3), 1) nooutput
stats name.".csv" skip 1 using 4 nooutput
across = STATS_max
stats name.".csv" skip 1 using 5 nooutput
down = STATS_max
set palette defined (0 "#f3f6fa", 0.02 "#dbe6f2", 0.25 "#9dbfe0", 0.5 "#f2d58a", 0.75 "#ee9a5a", 1 "#c8373d")
set cbrange [0:1]
unset colorbox
unset key
unset grid
set border 0
unset xtics
unset ytics
set title font ",12" offset 0,-0.7
set xrange [-0.5:across+0.5]
set yrange [-0.5:down+0.5]
set style fill solid 1.0 noborder
# A title that is wider than its panel goes on in a second line, from the last "; " that fits.
fits = int((width-58.0)/columns/6.8)
cut(text,at) = at < 1 ? text : text[at:at+1] eq "; " ? text[1:at]."\n".text[at+2:*] : cut(text,at-1)
titled(text) = strlen(text) > fits ? cut(text,fits) : text
above = 34.0
do for [p=1:rows*columns] { if (strlen(label[p]) > fits) { above = 50.0 } }
set multiplot layout rows,columns margins 58.0/width,0.99,50.0/height,1-28.0/height spacing 0.012,above/height
do for [r=0:rows-1] {
  do for [c=0:columns-1] {
    set title titled(label[r*columns+c+1]) noenhanced
    set ylabel (c==0 ? "Hz" : "") font ",10" offset -0.6
    set xlabel (r==rows-1 ? "kappa" : "") font ",10" offset 0,-0.7
    plot name.".csv" skip 1 using ($1==r && $2==c && $8>=0 ? $4 : NaN):5:(0.49):(0.48):8 with boxxyerror fillcolor palette, \
      "" skip 1 using ($1==r && $2==c && $8<0 ? $4 : NaN):5:(0.49):(0.48) with boxxyerror fillcolor rgb "#c9c9c9", \
      "" skip 1 using ($1==r && $2==c ? $4 : NaN):5:9 with labels font ",9" textcolor rgb "#1a1a1a", \
      "" skip 1 using ($1==r && $2==c && $5==0 && r==rows-1 ? $4 : NaN):(-0.5):6 with labels offset 0,-0.7 font ",9" textcolor rgb "#444444", \
      "" skip 1 using ($1==r && $2==c && $4==0 && c==0 ? -0.5 : NaN):5:7 with labels right offset -0.6,0 font ",9" textcolor rgb "#444444"
  }
}
unset multiplot
