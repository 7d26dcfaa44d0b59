import { IconPhotoPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../../lib/api.ts'
import { configQuery } from '../../../lib/config.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { discoverTexts as texts } from './texts.ts'

/** How often it is asked whether the sample is there, in milliseconds. */
const ASKED_EVERY_MS = 3_000

/** In place of the items while the server makes the sample data of a first start; brings them once they are there. */
export default function SampleOnItsWay() {
  const client = useQueryClient()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const ended = new AbortController()
    const ask = async () => {
      const config = await call(routes.config, {}, { signal: ended.signal }).catch(() => null)
      if (config && !config.sandbox?.makingSample) {
        // The items first: without them the page would say for a moment that there are none.
        await client.invalidateQueries({ queryKey: roots.media })
        client.setQueryData(configQuery.queryKey, config)
      } else if (!ended.signal.aborted) timer = setTimeout(() => void ask(), ASKED_EVERY_MS)
    }
    timer = setTimeout(() => void ask(), ASKED_EVERY_MS)
    return () => {
      clearTimeout(timer)
      ended.abort()
    }
  }, [client])
  return (
    <div role="status">
      <EmptyState Icon={IconPhotoPlus} title={texts.makingSample}>
        {texts.makingSampleHint}
      </EmptyState>
    </div>
  )
}
