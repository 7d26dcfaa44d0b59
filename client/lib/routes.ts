import type { Routes } from '../../contract/index.ts'
import type { Route } from '../../contract/route.ts'
import { table } from './route-table.ts'

/** What the browser holds of a call. `contract` is never there at run time: it only carries the types. */
export type ClientRoute<R extends Route> = { method: R['method']; path: string; contract?: R }

/** Every call by its name in the contract: `call(routes.login, { body })`. */
export const routes = table as { [Name in keyof Routes]: ClientRoute<Routes[Name]> }
