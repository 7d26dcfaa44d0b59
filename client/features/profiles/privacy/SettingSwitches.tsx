import '@mantine/core/styles/Switch.layer.css'
import { Switch } from '@mantine/core'
import { type UseMutationResult, useQuery } from '@tanstack/react-query'
import { errorMessage } from '../../../lib/api.ts'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import {
  discoverableQuery,
  type SettingQuery,
  useSetDiscoverable,
  useSetWatermark,
  watermarkQuery,
} from './api.ts'
import { privacyTexts } from './texts.ts'

type SettingSwitchProps = {
  label: string
  description: string
  query: SettingQuery
  set: UseMutationResult<unknown, Error, boolean>
  /** What is said once it was turned on, and off. */
  done: { on: string; off: string }
}

/** A setting that is on or off, and takes effect when it is switched. */
function SettingSwitch({ label, description, query, set, done }: SettingSwitchProps) {
  const stored = useQuery(query)
  if (stored.isPending) return <SkeletonLines lines={2} />
  if (stored.isError) {
    return (
      <ErrorState
        title={privacyTexts.settingFailed}
        error={stored.error}
        onRetry={() => void stored.refetch()}
      />
    )
  }
  const change = (enabled: boolean) =>
    set.mutate(enabled, {
      onSuccess: () => toast.success(enabled ? done.on : done.off),
      onError: (error) => toast.failure(errorMessage(error)),
    })
  return (
    <Switch
      label={label}
      description={description}
      checked={set.isPending ? set.variables : stored.data.enabled}
      size="md"
      onChange={(event) => !set.isPending && change(event.currentTarget.checked)}
    />
  )
}

/** Whether everybody finds somebody who creates nothing. */
export function DiscoverableSwitch() {
  return (
    <SettingSwitch
      label={privacyTexts.findMe}
      description={privacyTexts.findMeHint}
      query={discoverableQuery}
      set={useSetDiscoverable()}
      done={{ on: privacyTexts.found, off: privacyTexts.hidden }}
    />
  )
}

/** Whether the viewer's username is shown on what a creator sells. */
export function WatermarkSwitch() {
  return (
    <SettingSwitch
      label={privacyTexts.watermark}
      description={privacyTexts.watermarkHint}
      query={watermarkQuery}
      set={useSetWatermark()}
      done={{ on: privacyTexts.watermarkOn, off: privacyTexts.watermarkOff }}
    />
  )
}
