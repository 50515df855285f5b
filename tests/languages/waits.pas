{ A player of SnakeCore that waits, in Pascal. }
program waits;
var
  line: ansistring;
  size, heads, code, i, y: integer;
begin
  while not eof do
  begin
    readln(line);
    if line = 'getName' then
      writeln('in Pascal')
    else
    begin
      readln(line);
      val(line, size, code);
      heads := 0;
      for y := 1 to size do
      begin
        readln(line);
        for i := 1 to length(line) do
          if line[i] = 'p' then heads := heads + 1;
      end;
      for i := 1 to heads do readln(line);
      writeln('N');
    end;
    flush(output);
  end;
end.
