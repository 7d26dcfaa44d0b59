/** Regions whose law forbids telling visitors how to get around an age check: no word of VPNs is shown there. Add names as they appear. */
export const REGIONS_WITHOUT_VPN_HINT: readonly string[] = ['Utah']
