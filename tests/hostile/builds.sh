# Attacks by a stranger's build: sh builds.sh NAME, in the bot's folder, with its targets in the environment.
# It prints `hit` or `refused`. If something ends it before, the referee reports that.

# Compiles and makes a player's attack. If the attack neither prints `hit` or `refused` nor ends by a signal, the script
# exits without output.
attack() {
    gcc -pthread -o attack "$1.c" -lrt || exit 3
    said=$(echo "$2 key=$SECRET_KEY" | ./attack)
    case "$? $said" in "0 hit"*) true ;; "0 refused"* | 1[2-9][0-9]*) false ;; *) exit 3 ;; esac
}

did() { if "$@" >/dev/null 2>&1; then echo hit; else echo refused; fi; }

include_secret() { echo "#include \"$SECRET_FILE\"" >made.c; gcc -E made.c 2>/dev/null | grep -q secret; }
read_secret() { cat "$SECRET_FILE"; }
list_home() { ls "$SECRET_HOME"; }
environment() { [ -n "$SECRET" ]; }
call_service() { bash -c "echo >/dev/tcp/127.0.0.1/$SECRET_PORT"; }
kill_victim() { kill -USR1 "$SECRET_VICTIM"; }
see_victim() { [ -e "/proc/$SECRET_VICTIM" ]; }
write_elsewhere() { echo x >"$SECRET_HOME/hostile-was-here"; }
write_system() { touch "/usr/hostile-$SECRET_VICTIM" && rm "/usr/hostile-$SECRET_VICTIM"; }
see_tmp_of_host() { ls -d /tmp/hostile-* | grep -q .; } # some may be removed at this moment
become_root() { unshare -r true && [ "$(unshare -r cat "$SECRET_FILE")" ]; }
mount_something() { unshare -rm sh -c 'mount -t tmpfs none /mnt'; }
debug_victim() { dd if="/proc/$SECRET_VICTIM/mem" bs=1 count=0; }
list_keys() { grep -q "$SECRET_KEY" /proc/keys || grep -q . /proc/key-users; }
request_key() { attack kernel request_key; }
read_key() { attack kernel read_key; }
leave_key() { attack kernel leave_key; }
keyctl() { attack kernel keyctl; }
io_uring() { attack kernel io_uring; }
userfaultfd() { attack kernel userfaultfd; }
bpf() { attack kernel bpf; }
int80() { attack kernel int80; }
vsock() { attack network vsock; }
alg() { attack network alg; }
unshare_user() { attack processes unshare_user; }
clone_new_user() { attack processes clone_new_user; }
clone3() { attack processes clone3; }
setns() { attack processes setns; }
ptrace_parent() { attack victims ptrace_parent; }
memfd() { attack memory memfd; }
sysv_memory() { attack memory sysv_memory; }
sysv_messages() { attack memory sysv_messages; }
semaphores() { attack kernel semaphores; }
large_file() { dd if=/dev/zero of=large bs=1M count=8; }
many_processes() { (for i in $(seq 100); do sleep 2 & done; wait); }

case "$1" in
leaves_processes) # two processes, found by the time that they sleep
    sleep "$SECRET_NAP" >/dev/null 2>&1 &
    setsid sleep "$SECRET_NAP" >/dev/null 2>&1 &
    echo hit
    ;;
leaves_links) ln -s "$SECRET_FILE" bot && ln "$SECRET_FILE" log 2>/dev/null; did [ -L bot ] ;;
leaves_fifo) did mkfifo bot ;;
leaves_setuid) cp /bin/true bot && chmod 4755 bot && did [ -u bot ] ;;
large_folder) for i in 1 2 3 4 5 6 7 8; do dd if=/dev/zero of=part$i bs=1M count=1 2>/dev/null; done; sleep 30; echo hit ;;
many_files) for i in $(seq 300); do : >file$i; done; sleep 30; echo hit ;;
much_memory) did awk 'BEGIN { s = "x"; while (length(s) < 150000000) s = s s }' ;;
hides_memory) gcc -pthread -o attack memory.c -lrt && (echo map_and_forget; sleep 30) | ./attack ;;
never_ends) while :; do :; done ;;
closes_output) exec >&- 2>&- ; while :; do :; done ;;
floods_output) head -c 50000000 /dev/zero | tr '\0' x; echo; echo hit ;;
*) did "$1" ;;
esac
