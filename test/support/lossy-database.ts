import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy before PostgreSQL that loses the answers to chosen commits, as a pooler or a primary does that dies at that moment. */
export interface LossyDatabase {
  readonly url: string;
  /** From now on the next `count` commits of transactions in which a statement matches are done, and their connections cut. */
  loseCommits(count: number, statement: RegExp): void;
  /** The next `count` statements that match and stand alone are done, and their connections cut. */
  loseAnswers(count: number, statement: RegExp): void;
  /** How many were lost since the start. */
  readonly lost: number;
  close(): Promise<void>;
}

type Loss = { count: number; readonly statement: RegExp; readonly at: 'commit' | 'statement' };

export async function openLossyDatabase(databaseUrl: string): Promise<LossyDatabase> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let loss: Loss = { count: 0, statement: /$^/, at: 'commit' };
  let lost = 0;
  const server = createServer((client) => {
    const upstream = connect({ port: Number(target.port || 5432), host: target.hostname });
    let matched = false;
    let cutting = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (bytes: Buffer) => {
      const text = bytes.toString('latin1');
      if (text.includes('begin;')) matched = false;
      if (loss.count > 0 && loss.statement.test(text)) matched = true;
      const cuts = loss.at === 'commit' ? /commit\0/.test(text) : true;
      if (loss.count > 0 && matched && cuts) {
        loss.count -= 1;
        lost += 1;
        cutting = true;
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes: Buffer) => {
      if (cutting) client.destroy();
      else client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    loseCommits: (count, statement) => (loss = { count, statement, at: 'commit' }),
    loseAnswers: (count, statement) => (loss = { count, statement, at: 'statement' }),
    get lost() {
      return lost;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
