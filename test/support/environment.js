import { createRequire } from 'node:module';
import { TestEnvironment } from 'jest-environment-node';

const require = createRequire(import.meta.url);

/**
 * Jest's own loader cannot require an ES module before Node 24.9, Node can. What needs it is loaded here, by Node, and handed to the
 * tests; `test/support/sanitize-html.js` takes it.
 */
export default class Environment extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.loadedByNode = { sanitizeHtml: require('sanitize-html') };
  }
}
