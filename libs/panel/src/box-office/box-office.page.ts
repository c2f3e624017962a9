import type { PanelOutcome, PanelPage, PanelRow } from '#panel-kit';
import type { BoxOfficeServices } from './box-office.services.js';
import { readerStep, sellAtReader } from './reader-sale.js';
import { refusableSale, saleOf } from './sale-form.js';
import { saleView } from './sale-view.js';
import { soldView } from './sold-view.js';

/** The page that sells tickets and memberships at the venue, with the same services as the API. */
export function boxOffice(services: BoxOfficeServices): PanelPage {
  const sell = async (values: PanelRow): Promise<PanelOutcome> => {
    if (values['payment'] !== undefined) return readerStep(services, values);
    const { paymentMethod, readerId, ...wanted } = await saleOf(services, values);
    if (readerId !== undefined) return sellAtReader(services, wanted, readerId);
    const sold = await refusableSale(() => services.sales.sell(wanted));
    return { view: await soldView(services, sold, wanted.customerId === undefined ? paymentMethod : 'account') };
  };
  return {
    icon: 'ShoppingCart',
    component: 'BoxOffice',
    variant: 'primary',
    side: true,
    view: (query) => saleView(services, query),
    act: sell,
  };
}
