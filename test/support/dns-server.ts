import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import ipaddr from 'ipaddr.js';

/** The current addresses of a name; `silent`: no response; an empty list: the name has no address of this family. */
export type DnsAnswer = (name: string, type: 'A' | 'AAAA') => readonly string[] | 'silent';

const types: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' };
const headerBytes = 12;

/** A DNS server on loopback (UDP) with configurable answers and a TTL of 0. */
export class DnsServer {
  /** Queried names with their type, in order. */
  readonly asked: string[] = [];
  private readonly socket: Socket = createSocket('udp4');

  private constructor(private readonly answer: DnsAnswer) {
    this.socket.on('message', (message, from) => this.take(message, from));
  }

  static async start(answer: DnsAnswer): Promise<DnsServer> {
    const server = new DnsServer(answer);
    server.socket.bind(0, '127.0.0.1');
    await once(server.socket, 'listening');
    return server;
  }

  /** Its address, in the format of the setting. */
  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  async stop(): Promise<void> {
    this.socket.close();
    await once(this.socket, 'close');
  }

  private take(message: Buffer, from: RemoteInfo): void {
    const labels: string[] = [];
    let at = headerBytes;
    for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
      labels.push(message.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const name = labels.join('.').toLowerCase();
    const type = types[message.readUInt16BE(at + 1)];
    const question = message.subarray(headerBytes, at + 5);
    if (!type) return;
    this.asked.push(`${name} ${type}`);
    const addresses = this.answer(name, type);
    if (addresses === 'silent') return;
    const header = Buffer.alloc(headerBytes);
    header.writeUInt16BE(message.readUInt16BE(0), 0);
    // Flags: response, recursion desired and available, no error.
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses.length, 6);
    this.socket.send(Buffer.concat([header, question, ...addresses.map(record)]), from.port, from.address);
  }
}

/** A resource record for the name of the question. */
function record(address: string): Buffer {
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray());
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc000 + headerBytes, 0);
  head.writeUInt16BE(bytes.length === 4 ? 1 : 28, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([head, bytes]);
}
