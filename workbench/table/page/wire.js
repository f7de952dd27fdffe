// The connection to the server: messages are JSON, and a lost connection comes back by itself.

const LONGEST = 8000;
const FINAL = [4401, 4429];

export class Wire {
  /**
   * `hello`: makes the first message of every connection. `heard`: is called with each message. `lost`: when the
   * connection goes; with true when it makes no sense to come again.
   */
  constructor(hello, heard, lost) {
    Object.assign(this, { hello, heard, lost, pause: 250, waiting: [], closed: false });
    this.open();
  }

  open() {
    const url = new URL("socket", location.href.split("#")[0]);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    this.socket = new WebSocket(url);
    this.socket.onopen = () => this.send(this.hello());
    this.socket.onmessage = (event) => {
      this.pause = 250;
      this.heard(JSON.parse(event.data));
    };
    this.socket.onclose = (event) => this.again(event);
  }

  again(event) {
    if (this.closed) return;
    const final = FINAL.includes(event.code);
    this.lost(final);
    if (final) return;
    setTimeout(() => this.open(), this.pause);
    this.pause = Math.min(2 * this.pause, LONGEST);
  }

  /** Sends a message; one that cannot be sent now is dropped, since the position may be another one afterwards. */
  send(message) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close() {
    this.closed = true;
    this.socket.close();
  }
}
