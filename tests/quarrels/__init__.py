"""`make quarrels`: what random single corrections do to the later actions of long simulated games.

`tables` plays the games, `mistakes` thinks of the corrections, `trials` makes them and checks what comes out,
`report` counts. No file knows a rulebook by name: the games are those of the registry.
"""
