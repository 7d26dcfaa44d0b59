import '@mantine/core/styles/Switch.layer.css'
import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '../../../lib/api.ts'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { useSetWatermark, watermarkQuery } from '../api.ts'

/** Whether what a creator sells carries the name of whoever looks at it. */
export function WatermarkSwitch() {
  const stored = useQuery(watermarkQuery)
  const set = useSetWatermark()
  if (stored.isPending) return <SkeletonLines lines={2} />
  if (stored.isError) {
    return (
      <ErrorState
        title="This setting could not be loaded"
        error={stored.error}
        onRetry={() => void stored.refetch()}
      />
    )
  }
  const change = (enabled: boolean) =>
    set.mutate(enabled, {
      onSuccess: () =>
        toast.success(enabled ? 'Names are shown from now on.' : 'No names are shown any more.'),
      onError: (error) => toast.failure(errorMessage(error)),
    })
  return (
    <Switch
      label="Put the fan’s name on it"
      description="Pictures and videos that are not free carry the @username of whoever looks at them, so that a copy tells where it came from. You see your own without it."
      checked={set.isPending ? set.variables : stored.data.enabled}
      size="md"
      onChange={(event) => !set.isPending && change(event.currentTarget.checked)}
    />
  )
}
