import { routes as contract, type Routes } from '../../contract/index.ts'
import type { Route } from '../../contract/route.ts'

/** The browser's knowledge of a call. `contract` is never there at run time: only its types are used. */
export type ClientRoute<R extends Route> = { method: R['method']; path: string; contract?: R }

/**
 * Every call by its name in the contract: `call(routes.login, { body })`. The build inlines method and path where the call
 * is made (client/build/call-addresses.ts), so that a page loads neither the other calls nor any schema.
 */
export const routes: { [Name in keyof Routes]: ClientRoute<Routes[Name]> } = contract
