export { SellingOverview as Component } from '../../features/commerce/selling/SellingOverview.tsx'
