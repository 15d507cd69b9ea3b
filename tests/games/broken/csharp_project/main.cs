// Tests: a C# script in an engine built without .NET.
using Godot;

public partial class main : Node2D
{
	public override void _Ready()
	{
		GD.Print("BROKEN main ready");
	}
}
