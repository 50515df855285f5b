{ Plays a bot for ants that is a library, like Delphi's template:
  `library …; uses Ants; … exports GetAction; begin end.`

  The referee adds it automatically. By hand, two commands turn a library into a program, with any unit Ants beside it:

      fpc -O2 -gl -FuSDK -FU. -Mdelphi -Cg -obot.so DelphiSample.dpr
      fpc -O2 -gl -FuSDK -FU. -o./bot SDK/AntsHost.pas

  1. `bot`, started in its folder, loads `bot.so` from there and answers with the GetAction that it exports.
  2. It does not use the unit Ants, because a unit beside the bot would replace the SDK's. }
program AntsHost;

{$mode objfpc}{$H+}

uses
  Dynlibs, SysUtils, AntsPlay;

const
  PATH = './bot.so';

procedure Host;
var
  handle: TLibHandle;
  getAction: TGetAction;
begin
  handle := LoadLibrary(PATH);
  if handle = NilHandle then
    raise Exception.Create(GetLoadErrorStr);
  getAction := TGetAction(GetProcAddress(handle, 'GetAction'));
  if getAction = nil then
    raise Exception.Create('the library has no GetAction: write `exports GetAction;` behind the procedure');
  Play(getAction, TGetTeamName(GetProcAddress(handle, 'GetTeamName')));
end;

begin
  Host;
end.
