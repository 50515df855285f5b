// Reads boards with the SDK and waits. Logs the nanoseconds of the second half of REQUESTS.
program Main;

{$mode objfpc}{$H+}

uses
  SysUtils, Linux, UnixType, Snake;

var
  Requests, Turns: Integer;
  Began: Int64;

function Now: Int64;
var
  time: TTimeSpec;
begin
  clock_gettime(CLOCK_MONOTONIC, @time);
  Result := Int64(time.tv_sec) * 1000000000 + time.tv_nsec;
end;

function Choose(const area: TAreaInfo): Char;
begin
  Inc(Turns);
  if Turns = Requests div 2 then
    Began := Now
  else if Turns = Requests then
    WriteLn(StdErr, Now - Began);
  Result := 'N';
end;

begin
  Requests := StrToInt(GetEnvironmentVariable('REQUESTS'));
  Run('Reader', @Choose);
end.
