import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pass } from 'node:timers/promises';
import type { Fault, Scene } from './faults.js';

const hourMs = 3_600_000;

/** Faults of disks, clocks and networks. */
export const machineFaults: Readonly<Record<string, Fault>> = {
  'full-mail-folder': {
    name: 'the folder for mails is full for 10 s',
    skip: ({ mailDisk }) => (typeof mailDisk === 'string' ? mailDisk : undefined),
    prepare: async (scene) => {
      if (typeof scene.mailDisk === 'string') return;
      await restartWith(scene, { SMTP_URL: '', MAIL_FOLDER: scene.mailDisk.path });
    },
    strike: async ({ mailDisk }) => {
      if (typeof mailDisk === 'string') return;
      await mailDisk.fill();
      await pass(10_000);
      await mailDisk.free();
    },
    restore: (scene) => restartWith(scene, {}),
  },
  clock: {
    name: 'the clock of one server an hour ahead',
    prepare: async ({ stack }) => {
      const [, server] = stack.servers;
      if (!server) return;
      server.environment = shiftedClock(stack.programs.faketime);
      await stack.restart(server);
    },
    strike: async ({ stack }) => {
      await pass(10_000);
      const ahead = await secondsAhead(stack.servers[1]?.port ?? 0);
      return `its answers are dated ${ahead} s ahead`;
    },
    restore: async ({ stack }) => {
      const [, server] = stack.servers;
      if (!server) return;
      server.environment = {};
      await stack.restart(server);
    },
  },
  'slow-clients': {
    name: '300 clients that send a byte a second, for 15 s',
    strike: async ({ stack }) => {
      const ports = [stack.port, stack.port, ...stack.servers.map(({ port }) => port)];
      const sockets = Array.from({ length: 300 }, (_, number) => slowSocket(ports[number % ports.length] as number));
      await pass(15_000);
      const cut = sockets.filter(({ destroyed, readableEnded }) => destroyed || readableEnded).length;
      for (const socket of sockets) socket.destroy();
      return `${cut} of them were cut`;
    },
  },
};

/** Restarts all processes that send mails, one after the other. */
async function restartWith({ stack }: Scene, environment: NodeJS.ProcessEnv): Promise<void> {
  for (const program of [...stack.servers, stack.worker]) {
    program.environment = environment;
    await stack.restart(program);
  }
}

function shiftedClock(faketime: string | undefined): NodeJS.ProcessEnv {
  if (faketime) return { LD_PRELOAD: faketime, FAKETIME: '+1h', DONT_FAKE_MONOTONIC: '1' };
  const code =
    'const Real=Date;globalThis.Date=class extends Real{constructor(...a){if(a.length)super(...a);else ' +
    `super(Real.now()+${hourMs})}static now(){return Real.now()+${hourMs}}}`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}

function secondsAhead(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: '/live' }, (answer) => {
      answer.resume();
      resolve(Math.round((Date.parse(answer.headers.date ?? '') - Date.now()) / 1000));
    })
      .on('error', reject)
      .end();
  });
}

/** A connection that sends headers without end. */
function slowSocket(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined).resume();
  socket.write('POST /scan/ticket/ HTTP/1.1\r\nHost: faults.localhost\r\nX-Slow: ');
  const timer = setInterval(() => (socket.writable ? socket.write('a') : clearInterval(timer)), 1000);
  socket.on('close', () => clearInterval(timer));
  return socket;
}
