import { connect } from 'node:net';

/** Sends raw HTTP, for requests that client libraries cannot send. */
export function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      answer += part;
      // Not before: a server that works on the request gives it up when the client ends the connection.
      socket.end();
    });
    socket.on('end', () => resolve(answer)).on('error', reject);
  });
}
