{ The smallest bot on the Pascal SDK; tests talk to it through pipes. }
program Bot;

{$mode objfpc}{$H+}

uses
  SysUtils, Snake;

const
  Names: array of string = ('Tell Tale');

function Choose(const area: TAreaInfo): Char;
begin
  WriteLn('thinking');
  if area.Size = 3 then
    raise Exception.Create('a board of size 3');
  if area.Size = 4 then
    Exit('X');
  Result := area.StepTowards(area.FreeBlocks);
end;

begin
  Run(Names[StrToIntDef(GetEnvironmentVariable('NAME'), 0)], @Choose);
end.
