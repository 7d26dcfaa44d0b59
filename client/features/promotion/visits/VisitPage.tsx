import { useEffect } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router'
import { POST_CODE } from '../../../../contract/post-code.ts'
import { paths } from '../../../lib/paths.ts'
import { LoadingScreen } from '../../../ui/LoadingScreen.tsx'
import { toast } from '../../../ui/toast.ts'
import { claimVisits, countVisit } from './counting.ts'
import { visitTexts as texts } from './texts.ts'

/** Counts a visit by a post’s link to the page that this stands on, and offers what the post offers. */
export default function Visits() {
  const { pathname, search, hash, state } = useLocation()
  const navigate = useNavigate()
  const parameters = new URLSearchParams(search)
  const code = parameters.get('from') ?? ''
  const isCode = POST_CODE.test(code)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rest is as it is when a code comes.
  useEffect(() => {
    if (!isCode) return
    void countVisit(code).then((path) => {
      if (path?.includes('/offers/'))
        toast.stays(texts.offer, { label: texts.see, onAct: () => void navigate(path) })
    })
    parameters.delete('from')
    const left = parameters.toString()
    const to = { pathname, search: left === '' ? '' : `?${left}`, hash }
    void navigate(to, { replace: true, state, preventScrollReset: true })
  }, [isCode, code])
  return null
}

/** Says after a login whose visits they were; in here, so that one small file counts and claims. */
export const claim = () => claimVisits()

/** The page of the link in a post’s comment: counts the visit, and leads on. */
export function Component() {
  const { code = '' } = useParams()
  const navigate = useNavigate()
  useEffect(() => {
    let isLeft = false
    const counted = POST_CODE.test(code) ? countVisit(code) : Promise.resolve(null)
    void counted.then((path) => {
      if (!isLeft) void navigate(path ?? paths.home, { replace: true })
    })
    return () => {
      isLeft = true
    }
  }, [code, navigate])
  return <LoadingScreen />
}
