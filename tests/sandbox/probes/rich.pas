{ Features that a Pascal player may use: threads, events, lists, files it may read. }
{$mode objfpc}{$H+}
uses cthreads, cwstring, classes, sysutils, syncobjs;

type
  TAdder = class(TThread)
    procedure Execute; override;
  end;

var
  lock: TCriticalSection;
  total: integer = 0;

procedure TAdder.Execute;
var i: integer;
begin
  for i := 1 to 1000 do
  begin
    lock.Acquire;
    inc(total);
    lock.Release;
  end;
end;

var
  adders: array[0..7] of TAdder;
  i: integer;
  line: string;
  own: TFileStream;
  list: TStringList;
  event: TEvent;
begin
  readln(line);
  lock := TCriticalSection.Create;
  for i := 0 to high(adders) do adders[i] := TAdder.Create(false);
  for i := 0 to high(adders) do begin adders[i].WaitFor; adders[i].Free; end;
  own := TFileStream.Create(ParamStr(1), fmOpenRead or fmShareDenyWrite);
  list := TStringList.Create;
  list.LoadFromStream(own);
  event := TEvent.Create(nil, true, false, '');
  event.WaitFor(1);
  sleep(1);
  if (total = 8000) and (list.Count > 10) then writeln('played ', line);
  flush(output);
end.
