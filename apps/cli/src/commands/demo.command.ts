import type { Command } from 'commander';
import { DemoService } from '#demo';
import { documented, fields, say, show } from '../terminal/output.js';
import { withSession } from '../terminal/session.js';

interface DemoOptions {
  readonly json?: boolean;
}

/** `demo`: the demo that a server with `DEMO=on` creates when it starts. */
export function demoCommand(noun: Command): void {
  noun.description('Installs the demonstration venue with its events and tickets. Existing data is kept: a second run changes nothing.');
  documented(noun, {
    demo: 'prints the address and, the first time, the sign-in',
    'demo --json': 'prints {"created": […], "panel_url": …, "sign_in": {"email": …, "password": …} or null}',
  }).action(demo);
}

async function demo(options: DemoOptions): Promise<void> {
  await withSession(
    async (session) => {
      const { host, signIn, created } = await session.service(DemoService).ensure(say);
      const panelUrl = session.address({ slug: 'demo', host }, '/admin');
      show(
        options,
        { created, panel_url: panelUrl, sign_in: signIn ?? null },
        fields({
          Created: created.join(', ') || 'nothing, everything was there',
          Panel: panelUrl,
          'Sign-in': signIn?.email,
          Password: signIn?.password,
        }),
      );
      if (signIn) say('The password is shown only now.');
    },
    { patient: true },
  );
}
