import type { PanelOutcome, PanelPage, PanelRow } from '#panel-kit';
import type { BoxOfficeServices } from './box-office.services.js';
import { refusableSale, saleOf } from './sale-form.js';
import { saleView } from './sale-view.js';
import { soldView } from './sold-view.js';

/** The page that sells tickets and memberships at the venue, with the same services as the API. */
export function boxOffice(services: BoxOfficeServices): PanelPage {
  const sell = async (values: PanelRow): Promise<PanelOutcome> => {
    const { paymentMethod, ...wanted } = await saleOf(services, values);
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
