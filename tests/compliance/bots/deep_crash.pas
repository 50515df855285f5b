{ Raises an exception that it does not catch, fifteen calls deep. }
program DeepCrash;

{$mode objfpc}{$H+}

uses
  SysUtils;

function Dig(Depth: Integer): Integer;
begin
  if Depth = 0 then
    raise ERangeError.Create('no such cell');
  Result := Dig(Depth - 1) + 1;
end;

var
  Line: string;
begin
  while not EOF do
  begin
    ReadLn(Line);
    if Line = 'getName' then
      WriteLn('bot')
    else if Line = 'getAction' then
      WriteLn(Dig(15));
    Flush(Output);
  end;
end.
