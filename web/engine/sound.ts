/** Two short tones, so that users can keep their eyes on the goods. */
const tones = { right: [880, 0.07], wrong: [196, 0.28] } as const
let context: AudioContext | null = null

export function play(kind: keyof typeof tones): void {
  try {
    context ??= new AudioContext()
    const [pitch, seconds] = tones[kind]
    const oscillator = context.createOscillator()
    const volume = context.createGain()
    oscillator.frequency.value = pitch
    oscillator.type = kind === 'wrong' ? 'square' : 'sine'
    volume.gain.setValueAtTime(0.12, context.currentTime)
    volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + seconds)
    oscillator.connect(volume).connect(context.destination)
    oscillator.start()
    oscillator.stop(context.currentTime + seconds)
  } catch {
    // A device without sound still shows the colour.
  }
}
