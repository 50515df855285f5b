{ Plays a bot for ants that is a library, as Delphi's template makes it: `library …; uses Ants; … exports GetAction; begin end.`

  Two build commands make a program that plays of a source in either form, library or program:

      fpc -Mdelphi -O2 -gl -Cg -FuSDK -FU. -oants.so main.pas
      fpc -O2 -FuSDK -FU. -o./bot SDK/AntsHost.pas

  1. `bot`, started in its folder, loads `ants.so`, which lies there, and answers by the GetAction that it exports.
  2. An `ants.so` that is a program answers by itself: it takes this one's place. The loader's words tell it from a library
     that cannot be loaded, which as a program would only crash. }
program AntsHost;

{$mode objfpc}{$H+}

uses
  BaseUnix, Dynlibs, SysUtils, Ants;

const
  PATH = './ants.so';
  NO_LIBRARY = 'cannot dynamically load';

procedure Host;
var
  handle: TLibHandle;
  getAction: TGetAction;
  trouble: string;
  words: array[0..1] of PChar;
begin
  handle := LoadLibrary(PATH);
  if handle = NilHandle then
  begin
    trouble := GetLoadErrorStr;
    words[0] := PATH;
    words[1] := nil;
    if Pos(NO_LIBRARY, trouble) > 0 then
      FpExecv(words[0], @words[0]);
    raise Exception.Create(trouble);
  end;
  getAction := TGetAction(GetProcAddress(handle, 'GetAction'));
  if getAction = nil then
    raise Exception.Create('the library has no GetAction: write `exports GetAction;` behind the procedure');
  Play(getAction, TGetTeamName(GetProcAddress(handle, 'GetTeamName')));
end;

begin
  Host;
end.
