/** An SMTP server on loopback that accepts every mail and throws it away. Started by the mail bench. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

const server: SMTPServer = new SMTPServer({
  disabledCommands: ['STARTTLS'],
  authOptional: true,
  disableReverseLookup: true,
  onData: (stream, _session, done) => {
    stream.resume().once('end', () => done());
  },
});
server.on('error', () => undefined);
server.listen(0, '127.0.0.1', () => console.log(`listening ${(server.server.address() as AddressInfo).port}`));
