import { useEffect, useRef, useState } from 'react'
import { type NavigateOptions, useLocation, useSearchParams } from 'react-router'

type Change = Readonly<Record<string, string>> | ((asked: URLSearchParams) => URLSearchParams)

/**
 * What the page’s address says, and what changes that: with parameters by name, an empty one leaving, or with what makes
 * the next ones. It goes by what was last asked for, as the next choice may come before the address shows the first; what
 * was asked for comes third, to be shown where one chooses.
 */
export function useAddress() {
  const [address, setAddress] = useSearchParams()
  const location = useLocation()
  /** What was asked for and isn’t drawn yet, the last at the end. */
  const onTheWay = useRef<string[]>([])
  const [last, setLast] = useState<string | null>(null)
  useEffect(() => {
    const at = onTheWay.current.indexOf(location.search.slice(1))
    // One from elsewhere, as by the back button, says all.
    onTheWay.current = at < 0 ? [] : onTheWay.current.slice(at + 1)
    setLast(onTheWay.current.at(-1) ?? null)
  }, [location])
  const change = (to: Change, options: NavigateOptions = { replace: true }) => {
    const asked = new URLSearchParams(onTheWay.current.at(-1) ?? address)
    const next = typeof to === 'function' ? to(asked) : withParameters(asked, to)
    onTheWay.current.push(next.toString())
    setLast(next.toString())
    setAddress(next, { preventScrollReset: true, ...options })
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
