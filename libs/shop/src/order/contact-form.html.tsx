// TRANSITION: string version for the cart.
import { htmlOf } from '#page-kit';
import { ContactForm } from './contact-form.js';

export type { OrderToComplete } from './contact-form.js';
export const contactFormHtml = (shown: Parameters<typeof ContactForm>[0]): string => htmlOf(<ContactForm {...shown} />);
