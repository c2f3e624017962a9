import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';

/** A person who uses a page with the keys alone: Tab, Shift+Tab, arrows, Space, Enter and typing. */
export class Keyboard {
  constructor(private readonly page: Page) {}

  /**
   * Presses Tab until the element has the focus. Everything on the way shows that it has the focus.
   * @param key `Shift+Tab` to go back
   */
  async reach(selector: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await this.page.locator(selector).first().waitFor();
    // The skip link leads to the whole of the content, and new screens of the scanner app to their heading: nothing can be pressed there,
    // so they need no mark. The cards of the agenda are marked around their link.
    const look = `(() => {
      const { activeElement: at } = document;
      const isMarked = [null, '::after'].some((part) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(at, part);
        return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
      });
      const isShown = isMarked || at.matches('body, main, h1');
      return { there: at.matches(${JSON.stringify(selector)}), shown: isShown ? '' : at.outerHTML.slice(0, 200) };
    })()`;
    for (let tabs = 0; tabs < 60; tabs += 1) {
      const { there, shown } = await this.page.evaluate<{ there: boolean; shown: string }>(look);
      expect(shown).toBe('');
      if (there) return;
      await this.page.keyboard.press(key);
    }
    throw new Error(`The keyboard does not reach ${selector}`);
  }

  /** Reaches the element by Tab, then presses Enter. */
  async go(selector: string): Promise<void> {
    await this.reach(selector);
    await this.page.keyboard.press('Enter');
  }

  /** Reaches a field by Tab, which selects its text, and types another one instead. */
  async type(selector: string, text: string): Promise<void> {
    await this.reach(selector);
    await this.page.keyboard.type(text);
  }

  press(key: string): Promise<void> {
    return this.page.keyboard.press(key);
  }

  /** Waits until the element has the focus: a person who uses the keyboard or hears the page goes on from there. */
  focused(selector: string): Promise<void> {
    return this.page.locator(`${selector}:focus`).waitFor();
  }
}
