@KIT@
