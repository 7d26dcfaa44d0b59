import { use, useEffect, useRef, useState } from 'react'
import {
  type NavigateOptions,
  UNSAFE_DataRouterContext,
  useLocation,
  useNavigate,
  useSearchParams,
} from 'react-router'

type Change = Readonly<Record<string, string>> | ((asked: URLSearchParams) => URLSearchParams)

/**
 * What the page’s address says, and what changes that: with parameters by name, an empty one leaving, or with what makes
 * the next ones. It goes by what was last asked for, as the next choice may come before the address shows the first; what
 * was asked for comes third, to be shown where one chooses.
 */
export function useAddress() {
  const [address] = useSearchParams()
  const navigate = useNavigate()
  const router = use(UNSAFE_DataRouterContext)?.router
  const location = useLocation()
  /** What was asked for and isn’t drawn yet, the last at the end. */
  const onTheWay = useRef<string[]>([])
  const [last, setLast] = useState<string | null>(null)
  useEffect(() => {
    // The last: one that came between may have asked for the same before.
    const at = onTheWay.current.lastIndexOf(location.search.slice(1))
    // One from elsewhere, as by the back button, says all.
    onTheWay.current = at < 0 ? [] : onTheWay.current.slice(at + 1)
    setLast(onTheWay.current.at(-1) ?? null)
  }, [location])
  const change = (to: Change, options: NavigateOptions = { replace: true }) => {
    const asked = new URLSearchParams(onTheWay.current.at(-1) ?? address)
    const next = (typeof to === 'function' ? to(asked) : withParameters(asked, to)).toString()
    onTheWay.current.push(next)
    setLast(next)
    void Promise.resolve(navigate(`?${next}`, { preventScrollReset: true, ...options })).then(() => {
      // One that was held back, as its forms aren’t saved, never arrives.
      const held = onTheWay.current.lastIndexOf(next)
      if (held < 0 || router?.state.location.search.slice(1) === next) return
      onTheWay.current.splice(held, 1)
      setLast(onTheWay.current.at(-1) ?? null)
    })
  }
  return [address, change, last === null ? address : new URLSearchParams(last)] as const
}

function withParameters(before: URLSearchParams, parameters: Readonly<Record<string, string>>) {
  const after = new URLSearchParams(before)
  for (const [name, value] of Object.entries(parameters)) {
    if (value) after.set(name, value)
    else after.delete(name)
  }
  return after
}
