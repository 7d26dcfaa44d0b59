import '@mantine/core/styles/Switch.layer.css'
import { Switch } from '@mantine/core'
import { type UseMutationResult, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '../../../lib/api.ts'
import { Fetched } from '../../../ui/Fetched.tsx'
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
  /** The messages after it was turned on, and off. */
  done: { on: string; off: string }
}

/** A setting that is on or off, and takes effect when it is switched. */
function SettingSwitch({ label, description, query, set, done }: SettingSwitchProps) {
  const stored = useQuery(query)
  // A state of its own: the mutation's is shown a moment later, and the switch would flick back first.
  const [chosen, setChosen] = useState<boolean>()
  const change = (enabled: boolean) => {
    setChosen(enabled)
    set.mutate(enabled, {
      onSuccess: () => toast.success(enabled ? done.on : done.off),
      onError: (error) => toast.failure(errorMessage(error)),
      onSettled: () => setChosen(undefined),
    })
  }
  return (
    <Fetched query={stored} waiting={<SkeletonLines lines={2} />} failed={privacyTexts.settingFailed}>
      {({ enabled }) => (
        <Switch
          label={label}
          description={description}
          checked={chosen ?? enabled}
          size="md"
          onChange={(event) => chosen === undefined && change(event.currentTarget.checked)}
        />
      )}
    </Fetched>
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
